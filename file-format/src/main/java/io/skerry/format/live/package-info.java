/**
 * The live file: the newest epoch of a file that is being written, and the old content of blocks
 * that later flushes have replaced. Start at {@link io.skerry.format.live.LiveSlot}.
 */
package io.skerry.format.live;
