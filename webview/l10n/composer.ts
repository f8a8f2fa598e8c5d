import type { Words } from "./words.ts";

/** The composer. */
export const COMPOSER = {
  writeTo: ["Write to {0}", "写给 {0}"],
  messageTo: ["Message to {0}", "给 {0} 的消息"],
  to: ["To", "给"],
  recipient: ["Recipient", "收件人"],
  recipientLeft: ["{0} has left: choose who gets this.", "{0} 已离开：请选择由谁接收。"],
  draftKept: ["{0} has left. Your draft for it is kept.", "{0} 已离开，写给它的草稿还在。"],
  showDraft: ["Show Draft", "显示草稿"],
  send: ["Send (Enter)", "发送（Enter）"],
  referToFile: ["Refer to a File (@)", "引用文件（@）"],
  mentionList: ["Files to refer to", "可引用的文件"],
  "mentions.one": ["1 to refer to", "1 个可引用"],
  "mentions.other": ["{0} to refer to", "{0} 个可引用"],
  selection: ["Selection", "所选内容"],
  addImage: ["Add Images…", "添加图片…"],
  imagesOfDraft: ["Images", "图片"],
  imageAdded: ["Added {0}.", "已添加 {0}。"],
  leaveOutImage: ["Leave Out {0}", "移除 {0}"],
  noImage: [
    "{0} is no image that can be sent: PNG, JPEG, GIF and WebP can.",
    "{0} 不是可发送的图片：支持 PNG、JPEG、GIF 和 WebP。",
  ],
  tooManyImages: ["A message takes {0} images. The others were left out.", "一条消息最多 {0} 张图片，其余已略去。"],
  leaveOutImages: ["A message takes {0} images: leave some out.", "一条消息最多 {0} 张图片：请移除一些。"],
  sent: ["Sent to {0}.", "已发给 {0}。"],
  maybeSent: [
    "This may have been sent. Look for it before you send it again.",
    "这条消息可能已经发出。再次发送之前，请先查看。",
  ],
} as const satisfies Words;
