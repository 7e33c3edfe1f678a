/**
 * Object header messages: the interface, shared messages, and messages common to all objects or of
 * the superblock extension.
 */
package io.skerry.format.message;
