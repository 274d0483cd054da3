// Which tabs show a proposal, and how they come and go.

import { commands, TabInputText, TabInputTextDiff, Uri, ViewColumn, window, type Tab } from "vscode";
import { baseScheme, proposalScheme } from "./schemes";

/** The proposal that a tab shows; undefined for any other tab. */
export function proposalOf(tab: Tab | undefined): Uri | undefined {
  const input = tab?.input;
  const uri = input instanceof TabInputTextDiff ? input.modified : input instanceof TabInputText ? input.uri : undefined;
  return uri?.scheme === proposalScheme ? uri : undefined;
}

/** The tabs that show a side of this proposal, in every group. */
export function tabsOf(proposal: Uri): Tab[] {
  const wanted = proposal.toString();
  return allTabs().filter((tab) => proposalOf(tab)?.toString() === wanted);
}

/** Tabs that an earlier window left behind. */
export function ghosts(): Tab[] {
  return allTabs().filter((tab) => {
    const input = tab.input;
    if (input instanceof TabInputText && input.uri.scheme === baseScheme) return true;
    return proposalOf(tab) !== undefined;
  });
}

/** Whether the user has it before their eyes. */
export function isInFront(proposal: Uri): boolean {
  return tabsOf(proposal).some((tab) => tab.isActive);
}

export interface Showing {
  base: Uri;
  proposal: Uri;
  title: string;
  /** Only as a tab, behind what is in front. */
  background: boolean;
}

/** Opens the diff, or brings it to the front where it is. The keyboard stays where it is. */
export async function showDiff(s: Showing): Promise<void> {
  const there = tabsOf(s.proposal)[0]?.group.viewColumn;
  const options = { preview: false, preserveFocus: true, background: s.background, viewColumn: there ?? ViewColumn.Active };
  await commands.executeCommand("vscode.diff", s.base, s.proposal, s.title, options);
}

function allTabs(): Tab[] {
  return window.tabGroups.all.flatMap((group) => group.tabs);
}
