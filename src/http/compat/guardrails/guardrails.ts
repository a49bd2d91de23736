/** The doors of guardrails: programs that ask before they let a text through, each in the words that it speaks already. */
import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../../routes/route-context.js';
import { registerAgentgatewayRoutes } from './agentgateway-route.js';
import { registerCoralRoute } from './coral-route.js';
import { registerDifyRoute } from './dify-route.js';
import { registerLiteLlmRoute } from './litellm-route.js';
import { registerPortkeyRoute } from './portkey-route.js';

export function registerGuardrails(app: FastifyInstance, context: RouteContext): void {
  registerLiteLlmRoute(app, context);
  registerAgentgatewayRoutes(app, context);
  registerCoralRoute(app, context);
  registerDifyRoute(app, context);
  registerPortkeyRoute(app, context);
}
