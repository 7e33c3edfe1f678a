/**
 * Generators of datatypes, values, dataset specifications and selections, shared by the random
 * tests. A seed determines their results. Start at {@link
 * io.skerry.integration.random.RandomChoice}.
 */
package io.skerry.integration.random;
