/**
 * Exceptions for damaged files, unsupported features and exceeded memory limits. All packages may
 * throw them; they depend on no other package. {@link PrintableText} escapes text from files in
 * their messages.
 */
package io.skerry.exception;
