// Waiting with a limit, as the daemon's requests have one each, and so has what is asked of a process.

/** False when the work takes longer; it goes on all the same. */
export async function soon(work: Thenable<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  try {
    return await Promise.race([work.then(() => true), limit]);
  } finally {
    clearTimeout(timer);
  }
}
