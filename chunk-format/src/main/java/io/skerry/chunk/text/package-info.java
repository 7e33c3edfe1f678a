/** Text from files in a form that is safe to print. Start at {@link PrintableText}. */
package io.skerry.chunk.text;
