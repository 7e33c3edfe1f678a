/** The interfaces and records that all chunk indexes share. */
package io.skerry.format.index.api;
