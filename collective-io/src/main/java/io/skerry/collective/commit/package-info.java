/**
 * The last steps of a flush, after which exactly the old or exactly the new state of the file is
 * found by whoever opens it. Start at {@link io.skerry.collective.commit.Commit}.
 */
package io.skerry.collective.commit;
