/**
 * A connector that logs calls and forwards them to another connector; a template for pass-through
 * connectors. Start at {@link io.skerry.internal.log.LoggingConnector}.
 */
package io.skerry.internal.log;
