/** What is played under Skein, or an error that names it once it took too long. */
export async function inTime<T>(playing: Promise<T>, name: string, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const tell = (): void =>
      reject(new Error(`Under Skein, ${name} did not end in ${String(deadlineMs)} ms.`));
    timer = setTimeout(tell, deadlineMs);
  });
  try {
    return await Promise.race([playing, late]);
  } finally {
    clearTimeout(timer);
  }
}
