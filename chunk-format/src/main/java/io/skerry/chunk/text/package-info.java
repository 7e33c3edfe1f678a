/**
 * Text from files in a form that is safe to print. Start at {@link PrintableText}. Exceptions use
 * this class for their messages. The package depends on no other package.
 */
package io.skerry.chunk.text;
