import { describeDemoIn } from "../support/demoIn.ts";

describeDemoIn("tmux");
