import type { FunctionComponent } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** A component whose code is loaded when it is first drawn: what no first picture needs. Nothing is there until then. */
export function later(load: () => Promise<FunctionComponent>): FunctionComponent {
  let loaded: FunctionComponent | null = null;
  return () => {
    const [, setThere] = useState(loaded !== null);
    useLayoutEffect(() => {
      if (loaded) return;
      void load().then((component) => {
        loaded = component;
        setThere(true);
      });
    }, []);
    const Loaded = loaded;
    return Loaded && <Loaded />;
  };
}
