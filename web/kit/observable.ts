// State outside of components, and how a component follows a part of it.
import { useEffect, useState } from "preact/hooks";

export interface Observable<T> {
  get(): T;
  set(change: Partial<T>): void;
  /** Returns how to stop. */
  subscribe(listener: () => void): () => void;
}

export function observable<T extends object>(start: T): Observable<T> {
  let state = start;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(change) {
      const keys = Object.keys(change) as (keyof T)[];
      if (keys.every((key) => Object.is(state[key], change[key]))) return;
      state = { ...state, ...change };
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The part of the state a component shows; it renders again when that part changes (compared by identity). */
export function useObservable<T, S>(source: Observable<T>, select: (state: T) => S): S {
  const [value, setValue] = useState(() => select(source.get()));
  useEffect(() => {
    const update = () => setValue(() => select(source.get()));
    update();
    return source.subscribe(update);
    // The selection is a pure function of the state: a new closure of it is no reason to subscribe again.
  }, [source]);
  return value;
}
