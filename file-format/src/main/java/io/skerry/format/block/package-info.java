/** Addresses, blocks and positional reads of one file. */
package io.skerry.format.block;
