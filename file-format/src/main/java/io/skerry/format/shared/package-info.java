/**
 * The file's table of shared messages: which kinds of messages are pooled, in which heap they stand
 * and which index counts them. What a shared message means to an object is the header's business;
 * {@code FormatFile} joins the two. Start at {@code SharedMessageTable}.
 */
package io.skerry.format.shared;
