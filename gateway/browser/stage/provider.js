// A real OpenID Connect provider. It signs in everybody under the name that is typed in.
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";

const CLIENT = { client_id: "console", client_secret: "a secret of the tests" };

/** The user with this name. What follows each `+` in the name is a group: `ann+admins`. */
function account(_, name) {
  const [user, ...groups] = name.split("+");
  const claims = { sub: name, preferred_username: user, email: `${user}@example.org`, email_verified: true, groups };
  return { accountId: name, claims: async () => claims };
}

function key() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), use: "sig" };
}

export class IdentityProvider {
  /** Starts it for a console at this address. */
  static async start(console) {
    const own = new IdentityProvider();
    own.console = console;
    own.server = createServer((request, response) => own.answer(request, response)).listen(0, "127.0.0.1");
    await new Promise((resolve) => own.server.once("listening", resolve));
    own.host = `127.0.0.1:${own.server.address().port}`;
    own.renew();
    return own;
  }

  /** Takes new keys. With `inToken`, the ID token has all claims; else the console has to ask for them. */
  renew({ inToken = false } = {}) {
    this.answer = new Provider(`http://${this.host}`, {
      clients: [{ ...CLIENT, redirect_uris: [`${this.console}/login/callback`] }],
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["preferred_username"], groups: ["groups"] },
      conformIdTokenClaims: !inToken,
      cookies: { keys: ["a key of the tests"] },
      findAccount: account,
      jwks: { keys: [key()] },
      pkce: { required: () => true },
      ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Interaction: 60, Grant: 60, Session: 60 },
    }).callback();
  }

  /** The flags of a console whose users it signs in. Its secret is in this file. */
  flags(file) {
    const flags = {
      issuer: `http://${this.host}`,
      "client-id": CLIENT.client_id,
      "client-secret-file": file,
      redirect: `${this.console}/login/callback`,
      scopes: "email profile groups",
    };
    return Object.entries(flags).flatMap(([name, value]) => [`--oidc-${name}`, value]);
  }

  get secret() {
    return CLIENT.client_secret;
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }
}
