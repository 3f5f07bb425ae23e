// Keeps one Chromium running and restarts it after it ends.
import { chromium } from 'playwright-core';

// What playwright-core turns off by itself: Chromium takes the last list alone. tests/devapi/verify compares both.
const kOffAnyway = [
  'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'LensOverlay',
  'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'TcpPortRandomizationWin', 'OptimizationHints',
  'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch', 'msForceBrowserSignIn', 'msEdgeUpdateLaunchServicesPreferredVersion',
];
// The list below the address bar, which nobody sees, is a page of its own in each context. It cost a second of a processor.
const kOff = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];

// What a picture does not need, and what would reach the network past the proxy of a call.
const kFlags = [
  `--disable-features=${[...kOffAnyway, ...kOff].join(',')}`,
  '--disable-gpu', '--mute-audio', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy', '--dns-prefetch-disable', '--no-pings',
];

export class Unavailable extends Error {
  kind = 'unavailable';
}

export class WarmBrowser {
  // mustBeShutIn: pages run in Chromium's own sandbox or not at all.
  constructor({ program, mustBeShutIn }) {
    this.program = program;
    this.mustBeShutIn = mustBeShutIn;
    this.opening = null;
    this.browser = null;
  }

  alive() { return this.browser?.isConnected() ?? false; }

  // All who ask while it starts get the same one.
  async get() {
    if (this.alive()) return this.browser;
    this.opening ??= this.open().finally(() => { this.opening = null; });
    return this.opening;
  }

  async open() {
    this.browser = await this.launch(true).catch((error) => {
      if (this.mustBeShutIn) throw new Unavailable(`Chromium does not start in its sandbox, which SVC_SANDBOX=required demands: ${error.message}`);
      return this.launch(false).catch((again) => { throw new Unavailable(`Chromium does not start: ${again.message}`); });
    });
    return this.browser;
  }

  launch(chromiumSandbox) {
    return chromium.launch({ executablePath: this.program, chromiumSandbox, args: kFlags, timeout: 60000 });
  }

  async close() {
    const open = this.browser;
    this.browser = null;
    await open?.close().catch(() => {});
  }
}
