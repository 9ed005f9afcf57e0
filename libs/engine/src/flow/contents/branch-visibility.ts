/** Whether what was written on one branch is seen from another: along the line of ancestors, by whole segments (B3). */
export function isBranchVisible(written: string | undefined, from: string | undefined): boolean {
  // The dot keeps `p.child` and `p.child000` apart.
  return !written || !from || written === from || from.startsWith(`${written}.`);
}
