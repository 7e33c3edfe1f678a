/**
 * Tests of concurrent code by tools that search for rare interleavings. Only {@code -Pstress}
 * builds them.
 *
 * <p><b>Races</b> (jcstress): two threads with a few operations each, run millions of times in all
 * combinations of compilation modes. Classes with {@code @JCStressTest} are found in any package.
 *
 * <p><b>Linearizability</b> (Lincheck): random programs, compared with a single-threaded model.
 * Each test consists of a class of operations and a JUnit test that calls {@link
 * io.skerry.stress.Linearizability}.
 *
 * <p>Both kinds are in the packages of the tested classes, whose package-private members they use.
 */
package io.skerry.stress;
