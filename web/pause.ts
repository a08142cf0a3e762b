// Something to do once nothing has happened for a while. Asking for it at every move of a drag costs no timer each time.

export class Pause {
  private timer = 0;
  private last = 0;

  constructor(private readonly ms: number, private readonly run: () => void) {}

  get waits(): boolean {
    return this.timer !== 0;
  }

  /// Starts the time anew.
  wait(): void {
    this.last = performance.now();
    if (!this.timer) this.timer = setTimeout(() => this.look(), this.ms);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = 0;
  }

  private look(): void {
    const left = this.last + this.ms - performance.now();
    this.timer = left > 1 ? setTimeout(() => this.look(), left) : 0;
    if (!this.timer) this.run();
  }
}
