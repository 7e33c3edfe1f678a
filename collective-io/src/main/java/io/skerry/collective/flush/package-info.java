/** Stores everything that changed: encode, place, write, notify index owners, commit. */
package io.skerry.collective.flush;
