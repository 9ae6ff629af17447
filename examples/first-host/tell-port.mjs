// Preloaded: the server listens on port 0 and does not say which port it got. Node's diagnostics do.
import { subscribe } from "node:diagnostics_channel";

subscribe("tracing:net.server.listen:asyncEnd", ({ server }) => {
  process.send?.(server.address().port);
});

// A host that ends without stopping it, as `npm start | head` does, takes it along.
process.once("disconnect", () => process.exit());
