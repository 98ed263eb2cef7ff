-- What one client asks, over and over: `wrk -s load.lua URL -- WORKLOAD RECORDS`, of a world that sized-world.mjs made.
local sent = 0
local json = { ["x-api-key"] = "demo-key", ["content-type"] = "application/json" }
local plain = { ["x-api-key"] = "demo-key" }

-- How the ids of a kind begin.
local conversation, template = "c2", "c4"

local function id(kind, records)
  return string.format("%s%022x", kind, math.random(0, records - 1))
end

local function contact(email)
  return string.format(
    '{"firstName":"Ada","lastName":"Lovelace","email":"%s","phone":"+1415%07d","source":"bench","status":"open"}',
    email, sent)
end

local everyTemplate = "&types=sms&types=email&types=whatsapp&statuses=approved&statuses=pending&statuses=rejected"

local function listOfTemplates(page)
  return wrk.format("GET", "/api/templates?page=" .. math.floor(page) .. "&limit=10" .. everyTemplate, plain)
end

local workloads = {
  readConversation = function(records)
    return wrk.format("GET", "/api/conversations/" .. id(conversation, math.floor(records * 0.8)), plain)
  end,
  readTemplate = function(records)
    return wrk.format("GET", "/api/templates/" .. id(template, records), plain)
  end,
  createContact = function()
    return wrk.format("POST", "/api/contacts", json, contact(run .. "-" .. sent .. "@example.com"))
  end,
  -- Of 49 teams without records.
  createContactOfTeams = function()
    local headers = { ["x-api-key"] = "team-" .. math.random(1, 49) .. "-key", ["content-type"] = "application/json" }
    return wrk.format("POST", "/api/contacts", headers, contact(run .. "-" .. sent .. "@example.com"))
  end,
  createContactWithKey = function()
    local headers = { ["x-api-key"] = "demo-key", ["content-type"] = "application/json", ["idempotency-key"] = run .. sent }
    return wrk.format("POST", "/api/contacts", headers, contact(run .. "-" .. sent .. "@example.com"))
  end,
  upsertByEmail = function(records)
    local email = string.format("ada.lovelace.%d@example.com", math.random(0, records - 1))
    return wrk.format("POST", "/api/contacts/createOrUpdateContact", json,
      '{"firstName":"Ada","lastName":"Lovelace","email":"' .. email .. '","source":"bench"}')
  end,
  send = function(records)
    return wrk.format("POST", "/api/messages/sendMessage", json,
      '{"channel":"sms","content":"Hello {{contact.firstName}}","providerId":"sms-provider","conversationId":"'
      .. id(conversation, math.floor(records * 0.8)) .. '"}')
  end,
  historyPage = function(records)
    return wrk.format("GET", "/api/messages/" .. id(conversation, math.floor(records * 0.8)) .. "?page=1&limit=10", plain)
  end,
  firstTemplatePage = function()
    return listOfTemplates(1)
  end,
  lastTemplatePage = function(records)
    return listOfTemplates(records / 10)
  end,
  firstHistoryPage = function()
    return wrk.format("GET", "/api/messages/" .. id(conversation, 1) .. "?page=1&limit=10", plain)
  end,
  lastHistoryPage = function(records)
    return wrk.format("GET", "/api/messages/" .. id(conversation, 1) .. "?page=" .. math.floor(records / 10) .. "&limit=10", plain)
  end,
  templatePage = function()
    return wrk.format("GET", "/api/templates?page=1&limit=10&types=sms&types=email&statuses=approved&statuses=pending", plain)
  end,
}

function init(args)
  workload = workloads[args[1]]
  records = tonumber(args[2])
  math.randomseed(os.time())
  run = string.format("b%d%d", os.time(), math.random(1, 1000000))
end

function request()
  sent = sent + 1
  return workload(records)
end
