// The icons: those of VS Code (codicons, CC-BY-4.0) that the view uses, drawn as SVG in the colour of the text.

import add from "@vscode/codicons/src/icons/add.svg";
import arrowDown from "@vscode/codicons/src/icons/arrow-down.svg";
import arrowLeft from "@vscode/codicons/src/icons/arrow-left.svg";
import arrowUp from "@vscode/codicons/src/icons/arrow-up.svg";
import attach from "@vscode/codicons/src/icons/attach.svg";
import check from "@vscode/codicons/src/icons/check.svg";
import checklist from "@vscode/codicons/src/icons/checklist.svg";
import chevronDown from "@vscode/codicons/src/icons/chevron-down.svg";
import chevronLeft from "@vscode/codicons/src/icons/chevron-left.svg";
import chevronRight from "@vscode/codicons/src/icons/chevron-right.svg";
import chevronUp from "@vscode/codicons/src/icons/chevron-up.svg";
import circleSlash from "@vscode/codicons/src/icons/circle-slash.svg";
import close from "@vscode/codicons/src/icons/close.svg";
import code from "@vscode/codicons/src/icons/code.svg";
import commentDiscussion from "@vscode/codicons/src/icons/comment-discussion.svg";
import copy from "@vscode/codicons/src/icons/copy.svg";
import debugRerun from "@vscode/codicons/src/icons/debug-rerun.svg";
import debugStop from "@vscode/codicons/src/icons/debug-stop.svg";
import diff from "@vscode/codicons/src/icons/diff.svg";
import diffAdded from "@vscode/codicons/src/icons/diff-added.svg";
import diffModified from "@vscode/codicons/src/icons/diff-modified.svg";
import diffRemoved from "@vscode/codicons/src/icons/diff-removed.svg";
import diffRenamed from "@vscode/codicons/src/icons/diff-renamed.svg";
import edit from "@vscode/codicons/src/icons/edit.svg";
import error from "@vscode/codicons/src/icons/error.svg";
import exportIcon from "@vscode/codicons/src/icons/export.svg";
import eye from "@vscode/codicons/src/icons/eye.svg";
import file from "@vscode/codicons/src/icons/file.svg";
import fileMedia from "@vscode/codicons/src/icons/file-media.svg";
import files from "@vscode/codicons/src/icons/files.svg";
import folder from "@vscode/codicons/src/icons/folder.svg";
import gear from "@vscode/codicons/src/icons/gear.svg";
import globe from "@vscode/codicons/src/icons/globe.svg";
import history from "@vscode/codicons/src/icons/history.svg";
import info from "@vscode/codicons/src/icons/info.svg";
import insert from "@vscode/codicons/src/icons/insert.svg";
import key from "@vscode/codicons/src/icons/key.svg";
import listTree from "@vscode/codicons/src/icons/list-tree.svg";
import loading from "@vscode/codicons/src/icons/loading.svg";
import mcp from "@vscode/codicons/src/icons/mcp.svg";
import pass from "@vscode/codicons/src/icons/pass.svg";
import play from "@vscode/codicons/src/icons/play.svg";
import plug from "@vscode/codicons/src/icons/plug.svg";
import question from "@vscode/codicons/src/icons/question.svg";
import refresh from "@vscode/codicons/src/icons/refresh.svg";
import runAll from "@vscode/codicons/src/icons/run-all.svg";
import search from "@vscode/codicons/src/icons/search.svg";
import send from "@vscode/codicons/src/icons/send.svg";
import server from "@vscode/codicons/src/icons/server.svg";
import shield from "@vscode/codicons/src/icons/shield.svg";
import sparkle from "@vscode/codicons/src/icons/sparkle.svg";
import starEmpty from "@vscode/codicons/src/icons/star-empty.svg";
import starFull from "@vscode/codicons/src/icons/star-full.svg";
import terminal from "@vscode/codicons/src/icons/terminal.svg";
import tools from "@vscode/codicons/src/icons/tools.svg";
import trash from "@vscode/codicons/src/icons/trash.svg";
import vmRunning from "@vscode/codicons/src/icons/vm-running.svg";
import warning from "@vscode/codicons/src/icons/warning.svg";

const drawings = {
  add,
  "arrow-down": arrowDown,
  "arrow-left": arrowLeft,
  "arrow-up": arrowUp,
  attach,
  check,
  checklist,
  "chevron-down": chevronDown,
  "chevron-left": chevronLeft,
  "chevron-right": chevronRight,
  "chevron-up": chevronUp,
  "circle-slash": circleSlash,
  close,
  code,
  "comment-discussion": commentDiscussion,
  copy,
  "debug-rerun": debugRerun,
  "debug-stop": debugStop,
  diff,
  "diff-added": diffAdded,
  "diff-modified": diffModified,
  "diff-removed": diffRemoved,
  "diff-renamed": diffRenamed,
  edit,
  error,
  export: exportIcon,
  eye,
  file,
  "file-media": fileMedia,
  files,
  folder,
  gear,
  globe,
  history,
  info,
  insert,
  key,
  "list-tree": listTree,
  loading,
  mcp,
  pass,
  play,
  plug,
  question,
  refresh,
  "run-all": runAll,
  search,
  send,
  server,
  shield,
  sparkle,
  "star-empty": starEmpty,
  "star-full": starFull,
  terminal,
  tools,
  trash,
  "vm-running": vmRunning,
  warning,
};

export type IconName = keyof typeof drawings;

interface Drawing {
  box: string;
  paths: { d: string; rule?: "evenodd" }[];
}

const drawn = new Map<IconName, Drawing>();

// A codicon is one or more paths in a box, and nothing else.
function drawing(name: IconName): Drawing {
  let found = drawn.get(name);
  if (!found) {
    const svg = drawings[name];
    const paths = [...svg.matchAll(/<path([^>]*)>/g)].map(([, attributes = ""]) => {
      const d = / d="([^"]+)"/.exec(attributes)?.[1] ?? "";
      return attributes.includes("evenodd") ? { d, rule: "evenodd" as const } : { d };
    });
    found = { box: /viewBox="([^"]+)"/.exec(svg)?.[1] ?? "0 0 16 16", paths };
    drawn.set(name, found);
  }
  return found;
}

/** An icon of 16 by 16. It says nothing to screen readers: what it stands for is the label of what holds it. */
export function Icon({ name, class: extra, spin }: { name: IconName; class?: string; spin?: boolean }) {
  const classes = ["icon", extra, spin && "icon-spin"].filter(Boolean).join(" ");
  const { box, paths } = drawing(name);
  return (
    <svg class={classes} viewBox={box} aria-hidden="true" focusable="false">
      {paths.map(({ d, rule }) => (
        <path key={d} d={d} fill-rule={rule} clip-rule={rule} />
      ))}
    </svg>
  );
}
