// Work over all ops is done in slices: the page must answer to keys and the mouse in between.

/** How long one slice may hold the page. */
const SLICE_MS = 16;

/** Resolves in a later task, without the delay that nested timers get. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(0);
  });
}

/** Thrown out of sliced work that a newer request has made useless. */
export class Cancelled extends Error {
  constructor() {
    super("cancelled");
  }
}

/** Says when a loop has to give way, and stops it when its result is no longer wanted. */
export class Slicer {
  private until = performance.now() + SLICE_MS;
  private stopped = false;

  cancel(): void {
    this.stopped = true;
  }

  /** True when the slice is used up; the caller then awaits `turn`. */
  get due(): boolean {
    return performance.now() >= this.until;
  }

  async turn(): Promise<void> {
    if (this.stopped) throw new Cancelled();
    await nextTask();
    if (this.stopped) throw new Cancelled();
    this.until = performance.now() + SLICE_MS;
  }

  /** Calls `body(from, to)` over [0, count) in steps, giving way between them. */
  async steps(count: number, step: number, body: (from: number, to: number) => void): Promise<void> {
    for (let from = 0; from < count; from += step) {
      if (this.due || this.stopped) await this.turn();
      body(from, Math.min(count, from + step));
    }
  }
}

/** Runs one job at a time: starting the next cancels the one before. */
export class Latest {
  private current: Slicer | null = null;

  async run<T>(job: (slicer: Slicer) => Promise<T>, done: (value: T) => void): Promise<void> {
    this.cancel();
    const slicer = new Slicer();
    this.current = slicer;
    try {
      const value = await job(slicer);
      if (this.current === slicer) done(value);
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
    }
  }

  cancel(): void {
    this.current?.cancel();
    this.current = null;
  }
}
