// Gives SuprSend user tokens to those who have signed in at the company's authorization server.
//
// An example of what token_url has to answer; see "SIGN-IN WITH THE BROWSER" in feedbell.toml(5). Run it behind https.
// It needs Node.js 18 or later, prints its port, and has these settings in its environment:
//
// PORT                  of this computer; without it one that is free
// INTROSPECTION_URL     of the authorization server (RFC 7662), with the name and the password of a client there that
// INTROSPECTION_CLIENT  may ask it: NAME:PASSWORD
// SIGNING_KEY           the file with the signing key of the workspace, in PEM
// DOMAIN                NAME@DOMAIN is the id of the user NAME in the workspace, and the account's distinct_id
import { sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const { PORT = "0", INTROSPECTION_URL, INTROSPECTION_CLIENT, SIGNING_KEY, DOMAIN } = process.env;
const key = readFileSync(SIGNING_KEY);

// The name of the person whom an access token of Feedbell belongs to; undefined: it is no such token.
async function userOf(accessToken) {
    const answer = await fetch(INTROSPECTION_URL, {
        method: "POST",
        headers: { Authorization: `Basic ${Buffer.from(INTROSPECTION_CLIENT).toString("base64")}` },
        body: new URLSearchParams({ token: accessToken }),
        signal: AbortSignal.timeout(10_000),
    });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const facts = await answer.json();
    // A token that another program was given must not open the inbox.
    return facts.active && facts.client_id === "feedbell" ? facts.username : undefined;
}

// A JWT, signed with ES256 (RFC 7515).
function userToken(user) {
    const now = Math.floor(Date.now() / 1000);
    const claims = { entity_type: "subscriber", entity_id: `${user}@${DOMAIN}`, iat: now, exp: now + 3600 };
    const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const text = `${part({ alg: "ES256", typ: "JWT" })}.${part(claims)}`;
    return `${text}.${sign("sha256", text, { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

const server = createServer(async (request, response) => {
    const token = /^bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
    let user;
    try {
        user = token && (await userOf(token));
    } catch {
        return response.writeHead(503).end(); // The authorization server does not answer.
    }
    if (!user) return response.writeHead(401).end();
    // Whoever may not use the inbox gets 403 here.
    response.writeHead(200, { "Content-Type": "application/json", "Cache-Control": "no-store" });
    response.end(JSON.stringify({ token: userToken(user) }));
});
server.listen(Number(PORT), "127.0.0.1", () => console.log(server.address().port));
