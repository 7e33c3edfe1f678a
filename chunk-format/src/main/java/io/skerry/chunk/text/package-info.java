/**
 * Text from files in a form that is safe to print. Start at {@link PrintableText}. Exceptions use
 * it for their messages; this package depends on no other.
 */
package io.skerry.chunk.text;
