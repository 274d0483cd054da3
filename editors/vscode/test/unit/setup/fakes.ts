// A SecretStorage and a daemon for tests of the setup.

import { EventEmitter, type SecretStorageChangeEvent } from "vscode";
import type { Daemon, DaemonState } from "../../../src/daemon/api";
import type { ModelListResult, SetupStatus } from "../../../src/protocol/generated";
import type { UserSettings } from "../../../src/setup/choice";

export class Storage {
  readonly held = new Map<string, string>();
  private readonly changed = new EventEmitter<SecretStorageChangeEvent>();
  readonly onDidChange = this.changed.event;
  broken = false;

  async get(key: string): Promise<string | undefined> {
    if (this.broken) throw new Error("no keyring");
    return this.held.get(key);
  }
  async store(key: string, value: string): Promise<void> {
    if (this.broken) throw new Error("no keyring");
    this.held.set(key, value);
    this.changed.fire({ key });
  }
  async delete(key: string): Promise<void> {
    if (this.broken) throw new Error("no keyring");
    this.held.delete(key);
    this.changed.fire({ key });
  }
}

export class FakeDaemon {
  state: DaemonState = { kind: "running", version: "1", methods: [] };
  readonly sent: [string, Record<string, unknown>][] = [];
  status: SetupStatus = { configured: true, provider: "openai", model: "gpt-5", baseUrl: "https://api.example/v1" };
  models: ModelListResult = { models: [{ id: "gpt-5" }, { id: "gpt-5-mini" }] };
  refusing = "";

  readonly request = (async (method: string, params: Record<string, unknown>) => {
    this.sent.push([method, params]);
    if (method === this.refusing) throw new Error("refused");
    if (method === "clined/model/list") return this.models;
    if (method === "clined/setup/demo") return (this.status = { ...this.status, demo: !params.stop });
    if (method === "clined/setup/status") return this.status;
    return {};
  }) as Daemon["request"];

  asked(method: string): Record<string, unknown>[] {
    return this.sent.filter(([m]) => m === method).map(([, params]) => params);
  }
}

export class Settings implements UserSettings {
  readonly user: Record<string, unknown> = {};
  inspect(key: string) {
    return { user: this.user[key], byDefault: key === "provider" ? "openai" : "" };
  }
  async update(key: string, value: unknown) {
    if (value === undefined) delete this.user[key];
    else this.user[key] = value;
  }
}
