import type { Words } from "./words.ts";

/** Where there is no team. */
export const EMPTY = {
  startTitle: ["Start a team", "启动团队"],
  startText: [
    "A lead splits the goal into tasks, starts teammates and reports to you. You decide plans and permissions here.",
    "负责人把目标拆成任务，启动队友，并向你报告。计划和权限由你在这里决定。",
  ],
  goal: ["Goal", "目标"],
  goalHint: ["What should be true when the team is done?", "团队完成时应达到什么结果？"],
  inFolder: ["In {0}", "在 {0} 中"],
  startTeam: ["Start Team", "启动团队"],
  starting: ["Starting…", "正在启动…"],
  demoText: [
    "The demo team does a small real job in a temporary folder. Its models are scripted; everything else is real.",
    "演示团队在临时文件夹中完成一件真实的小任务。它的模型按脚本回答，其余都是真实的。",
  ],
  runDemo: ["Run the Demo Team", "运行演示团队"],
  openTeam: ["Open Team…", "打开团队…"],
  openTeamToRead: ["Open a Team to Read…", "打开团队以供阅读…"],
  keyTitle: ["No API key", "没有 API 密钥"],
  keyText: [
    "A team needs a key for the Anthropic API. The key is kept in VS Code’s secret storage.",
    "团队需要 Anthropic API 的密钥。密钥保存在 VS Code 的机密存储中。",
  ],
  setApiKey: ["Set API Key…", "设置 API 密钥…"],
  demoWithoutKey: [
    "The demo team needs no key. Its models are scripted; everything else is real.",
    "演示团队不需要密钥。它的模型按脚本回答，其余都是真实的。",
  ],
  trustTitle: ["This workspace is not trusted", "此工作区不受信任"],
  trustText: [
    "Teammates run commands and edit files here, so no agent starts before you trust the folder. Teams on disk can be read.",
    "队友会在这里运行命令、编辑文件，所以在你信任此文件夹之前不会启动任何代理。磁盘上的团队可以阅读。",
  ],
  manageTrust: ["Manage Workspace Trust", "管理工作区信任"],
  folderTitle: ["No folder is open", "没有打开的文件夹"],
  folderText: [
    "A team works in a folder: it reads and edits files and runs commands there.",
    "团队在一个文件夹中工作：读取和编辑文件，并在那里运行命令。",
  ],
  openFolder: ["Open Folder…", "打开文件夹…"],
} as const satisfies Words;
