import { describeStore } from "../../support/storeConformance.ts";
import { openTempStore } from "../../support/tempStore.ts";

describeStore("files", async () => {
  const temp = await openTempStore();
  const other = await openTempStore({ root: temp.root });
  return {
    store: temp.store,
    other: other.store,
    async [Symbol.asyncDispose]() {
      await other[Symbol.asyncDispose]();
      await temp[Symbol.asyncDispose]();
    },
  };
});
