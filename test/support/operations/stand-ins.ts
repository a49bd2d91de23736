/** In place of packages that are too large to install, or that need somebody else's service: as much of them as our pages use. */
import { join } from 'node:path';
import { ROOT } from '../client-package.js';
import { KIND, TOXIC } from '../texts.js';

const GOOGLE_COMMON = join(ROOT, 'node_modules/googleapis-common/build/src/index.js');

/** By the name of the package, its module. */
export const STAND_INS: Readonly<Record<string, string>> = {
  /** What its `discoverAPI` does, without the hundreds of APIs that it brings. */
  googleapis: `
    import common from ${JSON.stringify(GOOGLE_COMMON)};
    const discovery = new common.Discovery({ debug: false, includePrivate: false });
    export const google = { discoverAPI: async (url) => (await discovery.discoverAPI(url))({}, { _options: {} }) };
  `,
  /** Once logged in, a few messages are said. Fails where others are deleted than those that Parapet does not pass. */
  'discord.js': `
    import { EventEmitter } from 'node:events';
    export const Events = { MessageCreate: 'messageCreate', MessageUpdate: 'messageUpdate' };
    export const GatewayIntentBits = { Guilds: 1, GuildMessages: 512, MessageContent: 32768 };
    export class Client extends EventEmitter {
      async login() {
        const deleted = [];
        const said = (id, content, bot = false) => ({ id, content, author: { bot }, delete: async () => deleted.push(id) });
        const handle = (event, ...messages) => Promise.all(this.listeners(event).map((listener) => listener(...messages)));
        const [kind, toxic] = ${JSON.stringify([KIND, TOXIC])};
        await handle('messageCreate', said('kind', kind));
        await handle('messageCreate', said('toxic', toxic));
        await handle('messageCreate', said('by a bot', toxic, true));
        await handle('messageCreate', said('a picture', ''));
        await handle('messageCreate', said('too long', 'a'.repeat(10_001)));
        await handle('messageUpdate', said('edited', kind), said('edited', toxic));
        if (deleted.join() !== 'toxic,edited') throw new Error('deleted: ' + deleted.join());
      }
    }
  `,
};
