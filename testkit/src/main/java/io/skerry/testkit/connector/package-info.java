/**
 * Conformance suites for connectors, expressed through the object model. Start at {@link
 * io.skerry.testkit.connector.ConnectorConformance}; a connector that stores maps also passes
 * {@link io.skerry.testkit.connector.MapConformance}, and any other {@link
 * io.skerry.testkit.connector.MapRefusalConformance}; likewise {@link
 * io.skerry.testkit.connector.TransactionConformance} or {@link
 * io.skerry.testkit.connector.TransactionRefusalConformance}.
 */
package io.skerry.testkit.connector;
