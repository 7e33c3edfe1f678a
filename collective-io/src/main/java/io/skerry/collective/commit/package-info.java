/**
 * The last steps of a flush, after which exactly the old or the new state of the file is found.
 * Start at {@link Commit}.
 */
package io.skerry.collective.commit;
