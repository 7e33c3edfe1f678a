/** The journal: the blocks that a flush replaces in place, written before the flush does so. */
package io.skerry.format.journal;
