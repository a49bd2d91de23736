/** Reads JSON: strictly UTF-8 (RFC 8259, section 8.1), with each member once, and with no way to reach an object's prototype. */
import { parse } from 'secure-json-parse';
import { ServiceError } from '../../errors.js';
import { decodeNames, encodeEscapedNames } from './escaped-names.js';
import { hasRepeatedMember, valuesWritten } from '../../repeated-members.js';

export const EMPTY_BODY = 'The body is empty; send a JSON object with a member "content".';

const TWICE = 'has two members of one name in an object: send each once';

/** More than a batch can have whose items are all valid. Beyond it a body would take much time and memory for its size. */
const MOST_VALUES = 1_200_000;
const TOO_MANY = `has more than ${MOST_VALUES} values`;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws ServiceError `malformed_json` or `invalid_body` */
export function readJson(bytes: Uint8Array): unknown {
  const text = decoded(bytes);
  const encoded = encodeEscapedNames(text);
  if (encoded.length > MOST_VALUES && valuesWritten(encoded) > MOST_VALUES) throw refusal(TOO_MANY);
  const value = parsed(encoded);
  if (hasRepeatedMember(encoded, value)) throw refusal(TWICE);
  if (encoded !== text) decodeNames(value);
  return value;
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ServiceError('malformed_json', 'The body is not valid UTF-8.');
  }
}

function parsed(text: string): unknown {
  try {
    // "remove": a member named __proto__ is dropped like any unknown member, instead of failing the request.
    return parse(text, { protoAction: 'remove', constructorAction: 'remove' });
  } catch {
    // The parser's own error quotes the body.
    throw new ServiceError('malformed_json', text.trim() === '' ? EMPTY_BODY : 'The body is not valid JSON.');
  }
}

function refusal(message: string): ServiceError {
  return new ServiceError('invalid_body', `The body ${message}.`, { errors: [{ path: '', message }] });
}
