/**
 * Conformance suites for connectors, expressed through the object model. Start at {@link
 * io.skerry.testkit.connector.ConnectorConformance}; a connector that stores maps must also pass
 * {@link io.skerry.testkit.connector.MapConformance}, and any other connector must pass {@link
 * io.skerry.testkit.connector.MapRefusalConformance}. Likewise, a connector with transactions must
 * pass {@link io.skerry.testkit.connector.TransactionConformance}, and any other connector must
 * pass {@link io.skerry.testkit.connector.TransactionRefusalConformance}.
 */
package io.skerry.testkit.connector;
