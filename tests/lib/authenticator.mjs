// Passkeys in a real browser, with an authenticator of the browser's own (Chrome DevTools Protocol, domain WebAuthn); and
// answers that no authenticator gave.
import { createHash, createPrivateKey, sign } from 'node:crypto';

// A page at `address` with an authenticator of its own, whose options `more` changes.
export class Device {
  static async open(browser, address, more = {}) {
    const device = new Device();
    device.context = await browser.newContext();
    device.page = await device.context.newPage();
    await device.page.goto(address);
    device.cdp = await device.context.newCDPSession(device.page);
    await device.cdp.send('WebAuthn.enable');
    const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true, ...more };
    device.id = (await device.cdp.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId;
    return device;
  }
  create(options) {
    return this.page.evaluate(async (o) => (await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(o) })).toJSON(), options);
  }
  get(options) {
    return this.page.evaluate(async (o) => (await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(o) })).toJSON(), options);
  }
  async credentials() { return (await this.cdp.send('WebAuthn.getCredentials', { authenticatorId: this.id })).credentials; }
  put(credential) { return this.cdp.send('WebAuthn.addCredential', { authenticatorId: this.id, credential }); }
  clear() { return this.cdp.send('WebAuthn.clearCredentials', { authenticatorId: this.id }); }
  close() { return this.context.close(); }
}

// Makes an authenticator's answer by hand, with its `key` and `count`, and with the given false parts.
export function forged({ credential, challenge, origin, type = 'webauthn.get', rpId, flags = 0x05, count, cross }) {
  const clientData = Buffer.from(JSON.stringify({ type, challenge, origin, ...(cross ? { crossOrigin: true } : {}) }));
  const data = Buffer.alloc(37);
  createHash('sha256').update(rpId).digest().copy(data);
  data[32] = flags;
  data.writeUInt32BE(count, 33);
  const key = createPrivateKey({ key: Buffer.from(credential.privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  const signature = sign('sha256', Buffer.concat([data, createHash('sha256').update(clientData).digest()]), key);
  const id = Buffer.from(credential.credentialId, 'base64').toString('base64url');
  return { id, rawId: id, type: 'public-key', response: { clientDataJSON: clientData.toString('base64url'), authenticatorData: data.toString('base64url'), signature: signature.toString('base64url') } };
}
