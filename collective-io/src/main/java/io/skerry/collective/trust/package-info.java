/** Finds other files that a file names, and refuses those that the policy does not allow. */
package io.skerry.collective.trust;
