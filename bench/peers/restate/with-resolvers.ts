interface Resolvers<T> {
  promise: Promise<T>;
  resolve: (value: T | PromiseLike<T>) => void;
  reject: (reason?: unknown) => void;
}

/** Restate's SDK uses what Node has from 22 on; Skein is measured on 20 as well, and both on the same Node. */
(Promise as { withResolvers?: unknown }).withResolvers ??= function withResolvers<T>(): Resolvers<T> {
  let settle: Omit<Resolvers<T>, 'promise'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...(settle as Omit<Resolvers<T>, 'promise'>) }; // A promise runs its executor at once.
};
