/** JMH benchmarks. */
package io.skerry.benchmarks;
