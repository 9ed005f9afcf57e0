/** How long the loop of events is at most kept from its timers, in the processor's time: no matter who else uses that. */
export function watchTurns(): { readonly busiestMs: () => number } {
  let busiestMs = 0;
  let before = process.cpuUsage();
  const look = (): void => {
    const { user, system } = process.cpuUsage(before);
    busiestMs = Math.max(busiestMs, (user + system) / 1_000);
    before = process.cpuUsage();
  };
  const timer = setInterval(look, 10);
  return {
    busiestMs: () => {
      clearInterval(timer);
      look();
      return busiestMs;
    },
  };
}
