// Requests over https by node's https and http2; prints what came of them.
const fs = require("fs");
const https = require("https");
const http2 = require("http2");
const url = process.argv[2];
const ca = fs.readFileSync(process.argv[3]);

function one(version) {
  return new Promise((resolve) => {
    const body = Buffer.alloc(10 << 20, "x");
    const options = { ca, method: "POST", minVersion: version, maxVersion: version };
    const req = https.request(url + "/echo", options, (res) => {
      let length = 0;
      const protocol = res.socket.getProtocol();
      res.on("data", (piece) => (length += piece.length));
      res.on("end", () => resolve(protocol + " " + res.statusCode + " " + length));
    });
    req.on("error", (e) => resolve("error " + e.message));
    req.end(body);
  });
}

function two() {
  return new Promise((resolve) => {
    const session = http2.connect(url, { ca });
    session.on("error", (e) => resolve("error " + e.message));
    const req = session.request({ ":path": "/plaintext" });
    let text = "";
    req.on("data", (piece) => (text += piece));
    req.on("end", () => {
      resolve(session.alpnProtocol + " " + text);
      session.close();
    });
  });
}

function untrusted() {
  return new Promise((resolve) => {
    https.get(url + "/plaintext", () => resolve("accepted")).on("error", (e) => resolve(e.code));
  });
}

(async () => {
  console.log(await one("TLSv1.2"));
  console.log(await one("TLSv1.3"));
  console.log(await two());
  console.log(await untrusted());
})();
