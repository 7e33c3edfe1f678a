/**
 * Live readers: processes that read a file at one epoch while ranks write the next one. Start at
 * {@link LiveWriter} for the protocol, and at {@link EpochReader} for the readers.
 */
package io.skerry.collective.live;
