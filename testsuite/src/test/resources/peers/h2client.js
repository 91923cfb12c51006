// Requests over HTTP/2 without TLS by node's http2; prints what came of them.
const http2 = require("http2");
// The body of 10 MB is queued at once, which counts in the memory of the session, 10 MB by default.
const session = http2.connect(process.argv[2], { maxSessionMemory: 100 });
session.on("error", (e) => console.log("session error", e.message));

function request(name, headers, { body, trailers, expect, cancelAfter } = {}) {
  return new Promise((resolve) => {
    const req = session.request(headers, {
      endStream: body === undefined,
      waitForTrailers: trailers !== undefined,
    });
    let status = "";
    let length = 0;
    let trailer = "";
    let continued = "";
    let cancelled = false;
    req.on("response", (h) => (status = h[":status"]));
    req.on("trailers", (h) => (trailer = " " + h["x-sum"]));
    req.on("wantTrailers", () => req.sendTrailers(trailers));
    req.on("data", (piece) => {
      length += piece.length;
      if (cancelAfter && length > cancelAfter && !cancelled) {
        cancelled = true;
        req.close(http2.constants.NGHTTP2_CANCEL);
      }
    });
    req.on("error", (e) => (status += " " + e.message));
    req.on("close", () => {
      resolve(name + " " + status + " " + (cancelled ? "cancelled" : length) + trailer + continued);
    });
    if (expect) {
      req.on("continue", () => {
        continued = " continued";
        req.end(body);
      });
    } else if (body !== undefined) {
      req.end(body);
    }
  });
}

(async () => {
  const body = Buffer.alloc(10 << 20, "x");
  const post = (path) => ({ ":method": "POST", ":path": path });
  console.log(await request("get", { ":path": "/plaintext" }));
  console.log(await request("head", { ":method": "HEAD", ":path": "/plaintext" }));
  console.log(await request("echo", post("/echo"), { body }));
  console.log(await request("length", post("/length"), { body }));
  console.log(await request("forbidden", post("/forbidden"), { body: body.subarray(0, 1000) }));
  console.log(
    await request("trailers", post("/echo"), {
      body: body.subarray(0, 1000),
      trailers: { "x-sum": "42" },
    }),
  );
  console.log(
    await request("expect", { ...post("/length"), expect: "100-continue" }, { body, expect: true }),
  );
  console.log(await request("cancel", { ":path": "/endless" }, { cancelAfter: 1 << 20 }));
  const all = [];
  for (let i = 0; i < 1000; i++) all.push(request("p", { ":path": "/plaintext" }));
  const good = (await Promise.all(all)).filter((line) => line === "p 200 13").length;
  console.log("parallel " + good);
  session.close();
})();
