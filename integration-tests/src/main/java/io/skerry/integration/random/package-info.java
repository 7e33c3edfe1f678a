/**
 * Generators of datatypes, values, dataset specifications and selections from a seed, which all
 * random tests share. Start at {@link io.skerry.integration.random.RandomChoice}.
 */
package io.skerry.integration.random;
