/**
 * Exceptions for damaged files, unsupported features and exceeded memory limits, and the escaping
 * of text in their messages.
 */
package io.skerry.exception;
