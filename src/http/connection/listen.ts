/** Opens a server's port, and says what an operator can do where that fails. */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { errorCodeOf, OperatorError } from '../../errors.js';

/**
 * @param setting names the port
 * @returns the address, as a URL
 * @throws OperatorError
 */
export async function listen(server: FastifyInstance, host: string, port: number, setting: string): Promise<string> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    const code = errorCodeOf(error) ?? '';
    throw new OperatorError(
      `Cannot listen on ${host} port ${port}: ${LISTEN_ADVICE[code] ?? code} (settings HOST and ${setting}).`,
    );
  }
  const address = server.server.address() as AddressInfo;
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

const LISTEN_ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process has it. Stop that process or choose another port',
  EACCES: 'ports below 1024 need rights that this user lacks. Choose another port',
  EADDRNOTAVAIL: 'this machine has no such address. Choose another host',
  ENOTFOUND: 'the host name is not known. Choose another host',
};
