type Report =
  | { readonly type: 'ready'; readonly url: string | undefined; readonly healthUrl: string }
  | { readonly type: 'failed'; readonly reason: string };

/** Tells the process that started this one how it went, over IPC; settles once it is sent, or there is nobody. */
export function reportToParent(report: Report): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send || !process.connected) {
      resolve();
      return;
    }
    // A parent that died in this moment is no failure of ours: 'disconnect' ends us.
    process.send(report, undefined, undefined, () => resolve());
  });
}
