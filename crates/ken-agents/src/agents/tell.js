// kenning: written by `ken install KEN_AGENT`, removed by `ken uninstall KEN_AGENT`.
import { spawn } from "node:child_process";

const COMMAND = "KEN_COMMAND";
const WAIT_MS = 3000;

// Gives an event to `ken hook` and returns the text for the model; never throws, never takes long.
function tell(event) {
  return new Promise((resolve) => {
    let out = "";
    const done = () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(out).hookSpecificOutput?.additionalContext || "");
      } catch {
        resolve("");
      }
    };
    const timer = setTimeout(done, WAIT_MS);
    try {
      const child = spawn(COMMAND, { shell: true, stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
      child.stdout.on("data", (part) => (out += part));
      child.on("error", done);
      child.on("close", done);
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify({ agent: "KEN_AGENT", ...event }));
    } catch {
      done();
    }
  });
}
