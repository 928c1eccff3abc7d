/** A promise that a caller settles. */
export class Deferred<Value> {
  readonly promise: Promise<Value>;
  #resolve: (value: Value) => void = nothing;
  #reject: (error: unknown) => void = nothing;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  resolve(value: Value): void {
    this.#resolve(value);
  }

  reject(error: unknown): void {
    this.#reject(error);
  }
}

function nothing(): void {}
