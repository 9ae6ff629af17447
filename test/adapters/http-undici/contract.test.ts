import { egressWorld, startHttp } from "../../kit/egress-world.ts";
import { egressContract } from "../../ports/egress-contract.ts";

egressContract("undici egress", async (t, { status, headers = {}, chunks = [] }) => {
  const server = await startHttp(t, (_, response) => {
    response.writeHead(status, headers);
    for (const chunk of chunks) response.write(chunk);
    response.end();
  });
  const { egress, admit } = egressWorld(t);
  return { egress, target: admit(`http://127.0.0.1:${server.port}/`) };
});
