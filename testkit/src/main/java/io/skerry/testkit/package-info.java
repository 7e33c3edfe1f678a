/** Conformance suites, fault injection and oracles for implementations of Skerry's interfaces. */
package io.skerry.testkit;
